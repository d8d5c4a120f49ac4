// Models of WebView and CookieManager: pages are requested, not shown; what the app injects into them is recorded.
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { decoded, newUri } from '../data/uri.ts';
import { always, each, no, none, nothing, plain, type Reference, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import {
  callFromPage,
  fetch,
  javascriptInterface,
  requestType,
  responseType,
  showPage,
  userAgent,
} from './page-use.ts';
import { viewOf } from './view-tree.ts';
import { maxPageLength } from './web-pages.ts';

const S = 'Ljava/lang/String;';

const load: NativeMethod = (machine, me, url: Reference, second: Value = null) => {
  const target = plain(machine, url);
  viewOf(me).properties.set('url', url);
  const taint = sinkTaint(machine, url);
  if (/^javascript:/i.test(target)) {
    recorderOf(machine).leak('network', 'WebView.loadUrl', 'javascript:', taint);
    recorderOf(machine).event('web', `ran script in a page: ${target.slice(11, 120)}`);
    return;
  }
  const isPost = second !== null && typeof second === 'object' && second.cls.descriptor === '[B';
  const body = isPost
    ? new Uint8Array(((second as JavaArray).elements as Int8Array).slice().buffer)
    : new Uint8Array(0);
  fetch(
    machine,
    target,
    isPost ? 'POST' : 'GET',
    body,
    machine.union(taint, second === null ? 0 : machine.deepTaint(second)),
  );
  recorderOf(machine).event('web', `showed ${target}`);
  const asset = /^file:\/\/\/android_asset\/([^?#]*)/.exec(target)?.[1];
  const own = asset === undefined ? null : appOf(machine).plan.readEntry(`assets/${decoded(asset)}`);
  showPage(machine, me, url, own === null ? '' : Buffer.from(own.subarray(0, maxPageLength)).toString());
};

/** A page whose HTML the app passes in. */
function showOwn(machine: Machine, me: HeapObject, base: Reference, html: Reference): undefined {
  recorderOf(machine).event('web', 'showed a page of its own');
  showPage(machine, me, base ?? machine.string('about:blank'), plain(machine, html));
}

const webMethods: NativeMethods = {
  ...each(load, `loadUrl(${S})V`, `loadUrl(${S}Ljava/util/Map;)V`, `postUrl(${S}[B)V`),
  [`loadData(${S}${S}${S})V`]: (machine, me, html: Reference) => showOwn(machine, me, null, html),
  [`loadDataWithBaseURL(${S}${S}${S}${S}${S})V`]: showOwn,
  [`evaluateJavascript(${S}Landroid/webkit/ValueCallback;)V`]: (
    machine,
    _me,
    script: Reference,
    callback: Reference,
  ) => {
    recorderOf(machine).leak('network', 'WebView.evaluateJavascript', 'javascript:', sinkTaint(machine, script));
    if (callback !== null)
      post(machine, 50, callback.cls.name, () =>
        machine.call(callback, 'onReceiveValue(Ljava/lang/Object;)V', machine.string('null')),
      );
  },
  [`addJavascriptInterface(Ljava/lang/Object;${S})V`]: (machine, _me, object: Reference, name: Reference) => {
    if (object === null) return;
    recorderOf(machine).event('web', `let pages call ${object.cls.name} as ${plain(machine, name)}`);
    const app = appOf(machine);
    app.listen(`page#${app.numberOf(object)}`, { kind: 'page', fire: () => callFromPage(machine, object) });
  },
  [`getUrl()${S}`]: (_machine, me) => viewOf(me).properties.get('url') ?? null,
  'getSettings()Landroid/webkit/WebSettings;': (machine) => singleton(machine, 'Landroid/webkit/WebSettingsImpl;'),
  'setWebViewClient(Landroid/webkit/WebViewClient;)V': (_machine, me, listener: Reference) => {
    viewOf(me).properties.set('webViewClient', listener);
  },
  'canGoBack()Z': no,
  'getProgress()I': always(100),
  ...each(
    nothing,
    'setWebChromeClient(Landroid/webkit/WebChromeClient;)V',
    'setDownloadListener(Landroid/webkit/DownloadListener;)V',
    'goBack()V',
    'reload()V',
    'stopLoading()V',
    'clearCache(Z)V',
    'clearHistory()V',
    'destroy()V',
    'onPause()V',
    'onResume()V',
    'pauseTimers()V',
    'resumeTimers()V',
    `removeJavascriptInterface(${S})V`,
    'setInitialScale(I)V',
    'setNetworkAvailable(Z)V',
  ),
};

export const webModels: Models = {
  [javascriptInterface]: { isInterface: true, implements: ['Ljava/lang/annotation/Annotation;'] },
  'Landroid/webkit/WebView;': {
    extends: 'Landroid/widget/FrameLayout;',
    methods: webMethods,
    staticMethods: each(nothing, 'setWebContentsDebuggingEnabled(Z)V', `setDataDirectorySuffix(${S})V`),
  },
  'Landroid/webkit/WebViewClient;': {
    methods: {
      '<init>()V': nothing,
      ...each(
        no,
        `shouldOverrideUrlLoading(Landroid/webkit/WebView;${S})Z`,
        'shouldOverrideUrlLoading(Landroid/webkit/WebView;Landroid/webkit/WebResourceRequest;)Z',
      ),
      [`shouldInterceptRequest(Landroid/webkit/WebView;${S})${responseType}`]: none,
      ...each(
        nothing,
        `onPageStarted(Landroid/webkit/WebView;${S}Landroid/graphics/Bitmap;)V`,
        `onPageFinished(Landroid/webkit/WebView;${S})V`,
      ),
    },
  },
  'Landroid/webkit/WebResourceRequest;': {
    isInterface: true,
    abstractMethods: ['getUrl()Landroid/net/Uri;', `getMethod()${S}`, 'isForMainFrame()Z'],
  },
  [requestType]: {
    implements: ['Landroid/webkit/WebResourceRequest;'],
    methods: {
      'getUrl()Landroid/net/Uri;': (machine, me) => newUri(machine, me.native as string),
      [`getMethod()${S}`]: always('GET'),
      'isForMainFrame()Z': yes,
    },
  },
  'Landroid/webkit/ValueCallback;': {
    isInterface: true,
    abstractMethods: ['onReceiveValue(Ljava/lang/Object;)V'],
  },
  'Landroid/webkit/WebChromeClient;': { methods: { '<init>()V': nothing } },
  'Landroid/webkit/WebSettings;': {
    isAbstract: true,
    staticMethods: { [`getDefaultUserAgent(Landroid/content/Context;)${S}`]: always(userAgent) },
  },
  'Landroid/webkit/WebSettingsImpl;': {
    extends: 'Landroid/webkit/WebSettings;',
    methods: {
      [`getUserAgentString()${S}`]: always(userAgent),
      ...each(
        nothing,
        ...[
          'JavaScriptEnabled',
          'DomStorageEnabled',
          'AllowFileAccess',
          'BuiltInZoomControls',
          'SupportZoom',
          'UseWideViewPort',
          'LoadWithOverviewMode',
          'DatabaseEnabled',
          'GeolocationEnabled',
          'JavaScriptCanOpenWindowsAutomatically',
          'SavePassword',
          'AppCacheEnabled',
          'AllowContentAccess',
          'AllowFileAccessFromFileURLs',
          'AllowUniversalAccessFromFileURLs',
          'DisplayZoomControls',
          'LoadsImagesAutomatically',
          'SaveFormData',
        ].map((name) => `set${name}(Z)V`),
        'setCacheMode(I)V',
        'setMixedContentMode(I)V',
        'setTextZoom(I)V',
        `setUserAgentString(${S})V`,
        `setDefaultTextEncodingName(${S})V`,
      ),
    },
  },
  'Landroid/webkit/CookieManager;': {
    staticMethods: {
      'getInstance()Landroid/webkit/CookieManager;': (machine) => singleton(machine, 'Landroid/webkit/CookieManager;'),
    },
    methods: {
      [`getCookie(${S})${S}`]: none,
      'hasCookies()Z': no,
      ...each(
        nothing,
        'setAcceptCookie(Z)V',
        `setCookie(${S}${S})V`,
        'removeAllCookie()V',
        'flush()V',
        'setAcceptThirdPartyCookies(Landroid/webkit/WebView;Z)V',
      ),
    },
  },
  'Landroid/webkit/CookieSyncManager;': {
    staticMethods: {
      'createInstance(Landroid/content/Context;)Landroid/webkit/CookieSyncManager;': (machine) =>
        singleton(machine, 'Landroid/webkit/CookieSyncManager;'),
    },
    methods: each(nothing, 'sync()V', 'startSync()V'),
  },
  'Landroid/webkit/URLUtil;': { staticMethods: { [`isValidUrl(${S})Z`]: yes, [`isNetworkUrl(${S})Z`]: yes } },
  'Landroid/webkit/MimeTypeMap;': {
    staticMethods: {
      'getSingleton()Landroid/webkit/MimeTypeMap;': (machine) => singleton(machine, 'Landroid/webkit/MimeTypeMap;'),
      [`getFileExtensionFromUrl(${S})${S}`]: (machine, url: Reference) =>
        machine.string(/\.(\w+)(?:[?#]|$)/.exec(plain(machine, url))?.[1] ?? ''),
    },
    methods: { [`getMimeTypeFromExtension(${S})${S}`]: none },
  },
};
