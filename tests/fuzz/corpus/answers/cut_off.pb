
pod-