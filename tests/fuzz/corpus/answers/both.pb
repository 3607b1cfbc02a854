
pod-1pod-2pod-3