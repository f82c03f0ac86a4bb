# SPDX-License-Identifier: GPL-2.0-or-later
"""Answers one connection on the other machine of network.bash; the file `serving` says when."""
import socket

s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('10.9.0.2', 8000))
s.listen()
with open('serving', 'w', encoding='ascii'):
    pass
c, _ = s.accept()
c.sendall(c.recv(5))
c.recv(1)
