// Kits that watch what people do with an app, by their classes. One match per kind of kit; its strings say which.

private rule dex
{
  strings:
    $magic = "dex\n0"
  condition:
    $magic at 0
}

rule tracker_analytics : tracker
{
  meta:
    description = "Contains a kit that counts and follows what users do"
  strings:
    $firebase = "Lcom/google/firebase/analytics/"
    $google = "Lcom/google/android/gms/analytics/"
    $facebook = "Lcom/facebook/appevents/"
    $flurry = "Lcom/flurry/"
    $umeng = "Lcom/umeng/analytics/"
    $mixpanel = "Lcom/mixpanel/android/"
    $amplitude = "Lcom/amplitude/"
    $segment = "Lcom/segment/analytics/"
    $yandex = "Lcom/yandex/metrica/"
    $mytracker = "Lcom/my/tracker/"
    $talkingdata = "Lcom/tendcloud/"
    $bugly = "Lcom/tencent/bugly/"
    $clarity = "Lcom/microsoft/clarity/"
    $huawei = "Lcom/huawei/hms/analytics/"
  condition:
    dex and any of them
}

rule tracker_attribution : tracker
{
  meta:
    description = "Contains a kit that tells which advertisement an installation came from"
  strings:
    $adjust = "Lcom/adjust/sdk/"
    $appsflyer = "Lcom/appsflyer/"
    $branch = "Lio/branch/referral/"
    $kochava = "Lcom/kochava/"
    $singular = "Lcom/singular/sdk/"
    $tenjin = "Lcom/tenjin/android/"
    $airbridge = "Lco/ab180/airbridge/"
  condition:
    dex and any of them
}

rule tracker_advertising : tracker
{
  meta:
    description = "Contains a kit that shows advertisements"
  strings:
    $admob = "Lcom/google/android/gms/ads/"
    $facebook = "Lcom/facebook/ads/"
    $unity = "Lcom/unity3d/ads/"
    $ironsource = "Lcom/ironsource/"
    $applovin = "Lcom/applovin/"
    $vungle = "Lcom/vungle/"
    $inmobi = "Lcom/inmobi/"
    $chartboost = "Lcom/chartboost/sdk/"
    $adcolony = "Lcom/adcolony/sdk/"
    $pangle = "Lcom/bytedance/sdk/openadsdk/"
    $mintegral = "Lcom/mbridge/msdk/"
    $startapp = "Lcom/startapp/"
    $mytarget = "Lcom/my/target/"
    $tencent = "Lcom/qq/e/ads/"
  condition:
    dex and any of them
}

rule tracker_push : tracker
{
  meta:
    description = "Contains a kit of a third party that sends messages to the device and counts who opens them"
  strings:
    $onesignal = "Lcom/onesignal/"
    $jpush = "Lcn/jpush/android/"
    $getui = "Lcom/igexin/"
    $mipush = "Lcom/xiaomi/mipush/"
    $braze = "Lcom/braze/"
    $airship = "Lcom/urbanairship/"
    $clevertap = "Lcom/clevertap/android/"
    $moengage = "Lcom/moengage/"
  condition:
    dex and any of them
}

rule tracker_location : tracker
{
  meta:
    description = "Contains a kit that collects where the device is"
  strings:
    $xmode = "Lio/mysdk/"
    $cuebiq = "Lcom/cuebiq/"
    $huq = "Lio/huq/"
    $predicio = "Lcom/telescope/android/"
    $radar = "Lio/radar/sdk/"
    $foursquare = "Lcom/foursquare/pilgrim/"
    $gimbal = "Lcom/gimbal/"
  condition:
    dex and any of them
}
