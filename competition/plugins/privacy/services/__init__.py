"""The rules of privacy: exports of personal data (`exports`), deletion of accounts (`deletion`),
consent of guardians (`consent`), and erasure of unverified candidates (`unverified`)."""
