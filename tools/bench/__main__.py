from tools.bench.command import bench

if __name__ == "__main__":
    bench()
