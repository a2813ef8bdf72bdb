"""Installs a filter of system calls (seccomp) and starts a program.

filtered.py family NUMBER COMMAND…   socket() of this address family fails with EAFNOSUPPORT, as RestrictAddressFamilies= makes it
filtered.py sendto COMMAND…          sendto() ends the process

Source: seccomp(2); the kernel's Documentation/networking/filter.rst.
"""
import ctypes
import os
import platform
import struct
import sys

LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, FIRST_ARGUMENT = 0, 16
SOCKET, SENDTO = {"x86_64": (41, 44), "aarch64": (198, 206)}[platform.machine()]


def step(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


if sys.argv[1] == "family":
    command = sys.argv[3:]
    program = [
        step(LOAD, NUMBER), step(JUMP_IF_EQUAL, SOCKET, 0, 3), step(LOAD, FIRST_ARGUMENT),
        step(JUMP_IF_EQUAL, int(sys.argv[2]), 0, 1), step(RETURN, ERRNO | 97), step(RETURN, ALLOW),
    ]
else:
    command = sys.argv[2:]
    program = [
        step(LOAD, NUMBER), step(JUMP_IF_EQUAL, SENDTO, 0, 1), step(RETURN, KILL_PROCESS), step(RETURN, ALLOW),
    ]
libc = ctypes.CDLL(None, use_errno=True)
steps = ctypes.create_string_buffer(b"".join(program), 8 * len(program))


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


filter = Filter(len(program), ctypes.cast(steps, ctypes.c_void_p))
NO_NEW_PRIVS, SET_SECCOMP, FILTER_MODE = 38, 22, 2
if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, FILTER_MODE, ctypes.byref(filter)):
    raise OSError(ctypes.get_errno(), "seccomp")
os.execvp(command[0], command)
