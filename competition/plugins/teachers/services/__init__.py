"""The rules of teachers: their links to schools, their pupils, and the exams of their pupils.

A function that takes a school checks each candidate against it. Every candidate who is not of the
school is treated like one who does not exist.
"""
