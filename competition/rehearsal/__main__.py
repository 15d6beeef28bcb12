from competition.rehearsal.command import rehearse

rehearse(prog_name="competition rehearse")
