"""Prints what androguard 3 reads from the manifests of APKs, as JSON by file name."""
import json, logging, os, sys
from androguard.core.bytecodes.apk import APK
logging.disable(logging.CRITICAL)
out = {}


def app_name(apk):
    try:
        return apk.get_app_name()
    except Exception:  # its resource reader refuses tables of newer platforms
        return None


for path in sys.argv[1:]:
    a = APK(path)
    out[os.path.basename(path)] = {
        'app_name': app_name(a), 'package': a.get_package(),
        'version_code': a.get_androidversion_code(), 'version_name': a.get_androidversion_name(),
        'main_activities': sorted(a._format_value(each) for each in a.get_main_activities()),
        'activities': a.get_activities(), 'services': a.get_services(),
        'receivers': a.get_receivers(), 'providers': a.get_providers(),
        'permissions': sorted(a.get_permissions()), 'declared_permissions': sorted(a.get_declared_permissions()),
        'implied_permissions': sorted(a.get_uses_implied_permission_list(), key=str),
        'min_sdk': a.get_min_sdk_version(), 'target_sdk': a.get_target_sdk_version(), 'max_sdk': a.get_max_sdk_version(),
        'libraries': list(a.get_libraries()), 'features': list(a.get_features()),
        'wearable': a.is_wearable(), 'androidtv': a.is_androidtv(),
    }
json.dump(out, sys.stdout, indent=1, ensure_ascii=False, sort_keys=True)
