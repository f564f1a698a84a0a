"""Tools for assistants: functions of agent libraries, and servers of the Model Context Protocol.

Change it to add a tool for assistants.
"""
