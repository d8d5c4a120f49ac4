# Writes what androguard's decompiler DAD makes of an APK to a file, and prints its cost without reading the APK and what it lost.
import json, logging, resource, signal, sys
from androguard.misc import AnalyzeAPK
from androguard.decompiler.dad.decompile import DvClass, DvMethod


class Late(Exception):
    pass


def late(*_):
    raise Late()


logging.disable(logging.CRITICAL)
signal.signal(signal.SIGALRM, late)
used = lambda: (lambda usage: usage.ru_utime + usage.ru_stime)(resource.getrusage(resource.RUSAGE_SELF))
_, dexes, analysis = AnalyzeAPK(sys.argv[1])
start = used()
methods = lost = 0
with open(sys.argv[2], "w") as out:
    for dex in dexes:
        for each in dex.get_classes():
            written = DvClass(each, analysis)
            for index in range(len(written.methods)):
                methods += 1
                try:
                    signal.alarm(10)
                    written.process_method(index)
                except (Exception, Late):
                    lost += 1
                finally:
                    signal.alarm(0)
            written.methods = [method for method in written.methods if isinstance(method, DvMethod) and method.writer]
            try:
                # Texts that DAD leaves open end where the class does.
                out.write(written.get_source() + "\0")
            except Exception:
                lost += len(written.methods)
print(json.dumps({"methods": methods, "lost": lost, "cpu": used() - start}))
