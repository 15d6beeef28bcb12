from competition.cli import main

main(prog_name="competition")
