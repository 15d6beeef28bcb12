"""The rules of advancement.

`plans` stores the plans of organisers, `ranking` computes who advances, and `applying` promotes
these candidates and undoes promotions.
"""
