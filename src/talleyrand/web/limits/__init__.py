"""What bounds requests, connections and the processes beside this one."""
