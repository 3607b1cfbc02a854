why –)xxxxxxxx5xxxx
a