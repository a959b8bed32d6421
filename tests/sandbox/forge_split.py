# SPDX-License-Identifier: MIT
"""Puts another path of the same length into the shared part of the split index of the repository
here, under the name and the sum that belong to it: git itself would not add such a path.

    forge_split.py PATH OTHER
"""
import glob
import hashlib
import sys

path, other = (word.encode() for word in sys.argv[1:])
shared = glob.glob(".git/sharedindex.*")[0]
known = bytes.fromhex(shared.rsplit(".", 1)[1])
with open(shared, "rb") as file:
    body = file.read()[:-20].replace(path, other)
forged = hashlib.sha1(body).digest()
with open(".git/sharedindex." + forged.hex(), "wb") as file:
    file.write(body + forged)
with open(".git/index", "rb") as file:
    body = file.read()[:-20].replace(known, forged)
with open(".git/index", "wb") as file:
    file.write(body + hashlib.sha1(body).digest())
