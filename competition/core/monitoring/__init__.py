"""Monitoring of processes: logs, metrics, traces and readiness checks.

For plugins: `metrics` (declaring a gauge or counter), `readiness` (declaring a readiness check).
"""
