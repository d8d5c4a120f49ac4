// Behaviour worth a look, by what the static report says of an app. One sign alone is common; these ask for several.
import "androguard"

private rule online
{
  condition:
    androguard.permission("android.permission.INTERNET")
}

rule sms_reader_online : sms
{
  meta:
    description = "Receives text messages before the user, reads the phone's identity, and has network access"
  condition:
    online
    and androguard.permission("android.permission.RECEIVE_SMS")
    and androguard.filter("android.provider.Telephony.SMS_RECEIVED")
    and (androguard.functionality.imei.code(/getDeviceId|getImei/) or androguard.functionality.phone_number.code(/getLine1Number/))
}

rule sms_sender : sms
{
  meta:
    description = "Sends text messages from its own code and hides as an app without SMS screens"
  condition:
    androguard.permission("android.permission.SEND_SMS")
    and androguard.functionality.sms.code(/->send(Multipart)?TextMessage\(/)
    and not androguard.filter("android.provider.Telephony.SMS_DELIVER")
}

rule accessibility_overlay : overlay
{
  meta:
    description = "Draws over other apps while watching them as an accessibility service, as banking trojans do"
  condition:
    online
    and androguard.permission("android.permission.SYSTEM_ALERT_WINDOW")
    and androguard.filter("android.accessibilityservice.AccessibilityService")
}

rule device_admin_at_boot : locker
{
  meta:
    description = "Wants to administer the device and starts with it"
  condition:
    androguard.filter("android.app.action.DEVICE_ADMIN_ENABLED")
    and androguard.filter("android.intent.action.BOOT_COMPLETED")
    and androguard.permission("android.permission.RECEIVE_BOOT_COMPLETED")
}

rule installer_of_apps : dropper
{
  meta:
    description = "Installs packages, looks at which are there, and runs programs"
  condition:
    online
    and androguard.permission(/^android\.permission\.(REQUEST_)?INSTALL_PACKAGES$/)
    and androguard.functionality.installed_app.code(/getInstalled(Packages|Applications)/)
    and androguard.functionality.run_binary.code(/Runtime;->exec|ProcessBuilder/)
}
