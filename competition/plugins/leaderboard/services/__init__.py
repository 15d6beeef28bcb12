"""The rules of leaderboards.

`ranking` computes ranks, `publishing` writes snapshots, `scheduling` decides which exams are
published when, and `reading` reads snapshots.
"""
