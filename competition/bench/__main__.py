from competition.bench.command import bench

bench(prog_name="competition bench")
