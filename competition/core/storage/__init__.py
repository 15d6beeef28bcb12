"""Files that users upload, and temporary links to them: in a folder or on S3, behind one contract.

A plugin gets it as ``work.storage`` (`contract.Storage`).
"""
