"""What is asked for, and how it is sent."""
