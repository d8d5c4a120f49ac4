# Runs androguard's AnalyzeAPK on one file in a fresh process and prints its cost, without the process's start.
import json, logging, resource, sys
from androguard.misc import AnalyzeAPK

logging.disable(logging.CRITICAL)
used = lambda: (lambda usage: usage.ru_utime + usage.ru_stime)(resource.getrusage(resource.RUSAGE_SELF))
start = used()
AnalyzeAPK(sys.argv[1])
print(json.dumps({"cpu": used() - start, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
