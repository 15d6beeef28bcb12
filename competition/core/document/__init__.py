"""The OpenAPI document of the endpoints, and the AsyncAPI document of the sockets.

Both are built at the start, from what endpoints, feeds and slots declare.
"""
