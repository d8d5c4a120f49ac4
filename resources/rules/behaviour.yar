// Behaviour worth a look, by what the reports say of an app. One sign alone is common; these ask for several. Reports are
// the APK's in every file inside it: only the APK itself matches, once.
import "androguard"
import "cuckoo"
import "droidbox"
import "file"

private rule apk
{
  condition:
    filesize == file.size
}

private rule online
{
  condition:
    apk and androguard.permission("android.permission.INTERNET")
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
    apk
    and androguard.permission("android.permission.SEND_SMS")
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
    apk
    and androguard.filter("android.app.action.DEVICE_ADMIN_ENABLED")
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

rule call_interceptor : spy
{
  meta:
    description = "Follows calls, records sound, and has network access"
  condition:
    online
    and androguard.permission("android.permission.RECORD_AUDIO")
    and (
      androguard.permission("android.permission.PROCESS_OUTGOING_CALLS")
      or androguard.filter("android.intent.action.NEW_OUTGOING_CALL")
      or androguard.filter("android.intent.action.PHONE_STATE")
    )
    and androguard.filter("android.intent.action.BOOT_COMPLETED")
}

rule notification_reader : spy
{
  meta:
    description = "Reads other apps' notifications, codes to log in among them, and has network access"
  condition:
    online
    and androguard.filter("android.service.notification.NotificationListenerService")
    and (
      androguard.permission("android.permission.RECEIVE_SMS")
      or androguard.permission("android.permission.READ_SMS")
      or androguard.permission("android.permission.SYSTEM_ALERT_WINDOW")
    )
}

rule collector_of_everything : spy
{
  meta:
    description = "May read messages, contacts, the log of calls and the place at once, and send them away"
  condition:
    online
    and androguard.permission("android.permission.READ_SMS")
    and androguard.permission("android.permission.READ_CONTACTS")
    and androguard.permission("android.permission.READ_CALL_LOG")
    and androguard.permission(/^android\.permission\.ACCESS_(FINE|COARSE)_LOCATION$/)
}

rule screen_recorder_in_background : spy
{
  meta:
    description = "Records the screen from a service that starts with the device"
  condition:
    online
    and androguard.permission("android.permission.FOREGROUND_SERVICE_MEDIA_PROJECTION")
    and androguard.filter("android.intent.action.BOOT_COMPLETED")
}

rule plain_address : network
{
  meta:
    description = "Talks to servers by their bare addresses, without encryption"
  condition:
    online
    and androguard.url(/^http:\/\/\d{1,3}(\.\d{1,3}){3}[:\/]/)
    and androguard.permission(/(RECEIVE_SMS|READ_SMS|RECORD_AUDIO|BIND_ACCESSIBILITY_SERVICE|REQUEST_INSTALL_PACKAGES)$/)
}

rule debug_certificate : certificate
{
  meta:
    description = "Signed with the key that development tools make for themselves"
  condition:
    apk and androguard.certificate.subject(/CN=Android Debug/)
}

rule sends_text_messages_when_run : sms
{
  meta:
    description = "Sent a text message while it was run"
  condition:
    apk and droidbox.sendsms(/./)
}

rule calls_when_run : calls
{
  meta:
    description = "Called a number while it was run"
  condition:
    apk and droidbox.phonecall(/./)
}

rule writes_program_when_run : dropper
{
  meta:
    description = "Wrote an Android program or package while it was run"
  condition:
    apk
    and (
      droidbox.written.data(/^6465780a30/)
      or droidbox.written.filename(/\.(apk|dex)$/)
    )
}

rule loads_own_library_when_run : loader
{
  meta:
    description = "Loaded a native library that did not come with it while it was run"
  condition:
    apk and droidbox.library(/^\/(data\/(data|user)|sdcard|storage)\/.*\/(files|cache|app_\w+)\//)
}

rule talks_to_telegram_when_run : exfiltration
{
  meta:
    description = "Talked to a bot of Telegram while it was run"
  condition:
    apk and cuckoo.network.http_request(/api\.telegram\.org\/bot/)
}
