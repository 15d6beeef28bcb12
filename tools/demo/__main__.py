from tools.demo.command import demo

if __name__ == "__main__":
    demo()
