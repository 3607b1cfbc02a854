"""Client certificates for pickers, valid and invalid, made by openssl."""

import base64
import pathlib
import random
import subprocess


class Identities:
    """Makes certificates and keys in a folder; each is a pair of texts."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.made = 0

    def _path(self, name):
        return self.folder / f"{self.made}-{name}"

    def _run(self, *arguments):
        return subprocess.run(["openssl", *arguments], check=True, capture_output=True, text=True)

    def key(self, kind="ec"):
        parameters = {
            "ec": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
            "rsa": ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
        }[kind]
        return self._run("genpkey", *parameters).stdout

    def bloated_dsa_key(self, bits):
        """OpenSSL raises 2 to the power of a number of that many bits to read it."""
        self.made += 1
        number = f"INTEGER:0x{random.Random(bits).getrandbits(bits) | 1 << bits - 1 | 1:x}"
        settings, der = self._path("conf"), self._path("der")
        settings.write_text(
            "asn1=SEQUENCE:key\n"
            f"[key]\nversion=INTEGER:0\ntype=SEQUENCE:type\nkey=OCTWRAP,{number}\n"
            "[type]\nname=OID:dsaEncryption\nnumbers=SEQUENCE:numbers\n"
            f"[numbers]\np={number}\nq={number}\ng=INTEGER:2\n",
            encoding="utf-8",
        )
        self._run("asn1parse", "-genconf", str(settings), "-noout", "-out", str(der))
        text = base64.encodebytes(der.read_bytes()).decode()
        return f"-----BEGIN PRIVATE KEY-----\n{text}-----END PRIVATE KEY-----\n"

    def certificate(self, key, days=2, names="IP:127.0.0.1"):
        """Signs itself, so that it is its own authority."""
        self.made += 1
        key_file, request = self._path("key"), self._path("csr")
        key_file.write_text(key, encoding="utf-8")
        self._run("req", "-new", "-key", str(key_file), "-subj", "/CN=x", "-out", str(request))
        extensions = self._path("ext")
        extensions.write_text(f"subjectAltName={names}\n", encoding="utf-8")
        return self._run(
            *("x509", "-req", "-in", str(request), "-signkey", str(key_file)),
            *("-days", str(days), "-extfile", str(extensions)),
        ).stdout

    def pair(self, kind="ec", **more):
        key = self.key(kind)
        return self.certificate(key, **more), key

    def encrypted(self, key):
        """The same key as ENCRYPTED PRIVATE KEY."""
        self.made += 1
        plain = self._path("plain")
        plain.write_text(key, encoding="utf-8")
        return self._run("pkcs8", "-topk8", "-in", str(plain), "-passout", "pass:word").stdout


def marked_as_encrypted(pem):
    """The same text with the headers of a traditional encrypted one."""
    first, rest = pem.split("\n", 1)
    headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n"
    return f"{first}\n{headers}\n{rest}"
