"""Mathematics in the texts of questions: formulas in TeX, and images.

`segments` splits a text, `formulas` converts TeX into MathML from a fixed list of elements
(`elements`), `speech` says a formula in words, and `rendering` joins all of it into HTML and
into spoken text.
"""
