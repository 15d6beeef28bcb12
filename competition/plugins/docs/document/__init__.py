"""The OpenAPI document of the endpoints, and the AsyncAPI document of the sockets.

Both are built when the service starts, from the declarations of endpoints, feeds and slots.
"""
