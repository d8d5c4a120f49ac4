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
    $clarity = "Lcom/microsoft/clarity/"
    $huawei = "Lcom/huawei/hms/analytics/"
    $appmetrica = "Lio/appmetrica/analytics/"
    $adobe = "Lcom/adobe/marketing/mobile/"
    $comscore = "Lcom/comscore/"
    $countly = "Lly/count/android/sdk/"
    $heap = "Lcom/heapanalytics/android/"
    $leanplum = "Lcom/leanplum/"
    $localytics = "Lcom/localytics/android/"
    $posthog = "Lcom/posthog/"
    $sensors = "Lcom/sensorsdata/analytics/android/"
    $mobstat = "Lcom/baidu/mobstat/"
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
    $tune = "Lcom/tune/"
    $apsalar = "Lcom/apsalar/"
    $reyun = "Lcom/reyun/tracking/"
  condition:
    dex and any of them
}

rule tracker_advertising : tracker
{
  meta:
    description = "Contains a kit that shows advertisements"
  strings:
    // Not the identifier for advertisements alone, which every kit of Google's brings along.
    $admob = /Lcom\/google\/android\/gms\/ads\/(Ad(Activity|View|Request)|MobileAds|InterstitialAd|(interstitial|nativead|rewarded|doubleclick)\/)/
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
    $amazon = "Lcom/amazon/device/ads/"
    $appodeal = "Lcom/appodeal/ads/"
    $criteo = "Lcom/criteo/publisher/"
    $fyber = "Lcom/fyber/"
    $huawei = "Lcom/huawei/openalliance/ad/"
    $kuaishou = "Lcom/kwad/sdk/"
    $mopub = "Lcom/mopub/mobileads/"
    $ogury = "Lcom/ogury/"
    $pubmatic = "Lcom/pubmatic/sdk/"
    $smaato = "Lcom/smaato/sdk/"
    $taboola = "Lcom/taboola/android/"
    $tapjoy = "Lcom/tapjoy/"
    $yandex = "Lcom/yandex/mobile/ads/"
    $airpush = "Lcom/airpush/"
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
    $openlocate = "Lcom/openlocate/"
    $placer = "Lcom/placer/client/"
    $sense360 = "Lcom/sense360/android/"
    $factual = "Lcom/factual/"
  condition:
    dex and any of them
}

rule tracker_screen : tracker
{
  meta:
    description = "Contains a kit that records what the screen shows and where it is touched"
  strings:
    $smartlook = "Lcom/smartlook/"
    $uxcam = "Lcom/uxcam/"
    $appsee = "Lcom/appsee/"
    $fullstory = "Lcom/fullstory/"
    $instabug = "Lcom/instabug/"
    $contentsquare = "Lcom/contentsquare/android/"
    $userexperior = "Lcom/userexperior/"
  condition:
    dex and any of them
}

rule tracker_crashes : tracker
{
  meta:
    description = "Contains a kit that sends reports of crashes, with facts of the device, to a third party"
  strings:
    $crashlytics = "Lcom/google/firebase/crashlytics/"
    $fabric = "Lcom/crashlytics/android/"
    $bugly = "Lcom/tencent/bugly/"
    $sentry = "Lio/sentry/android/"
    $bugsnag = "Lcom/bugsnag/android/"
    $raygun = "Lcom/raygun/raygun4android/"
    $appcenter = "Lcom/microsoft/appcenter/crashes/"
    $newrelic = "Lcom/newrelic/agent/android/"
  condition:
    dex and any of them
}
