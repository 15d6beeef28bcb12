"""What operators see of a process: its logs, metrics, traces and readiness.

For plugins: `metrics` (declaring a gauge or counter), `readiness` (declaring a readiness check).
"""
