// Models of WebView and CookieManager: pages are asked for, not shown; what the app puts into them is noted.

import { virtualNetwork } from '../java/virtual-network.ts';
import type { HeapObject, JavaArray, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { recorderOf, sinkTaint } from '../report/recorder.ts';
import { typedText } from '../world/people.ts';
import { worldOf } from '../world/world.ts';
import { post } from './activity-life.ts';
import { appOf } from './app.ts';
import {
  always,
  callIfThere,
  each,
  isAppMethod,
  no,
  none,
  nothing,
  plain,
  type Reference,
  yes,
} from './model-parts.ts';
import { singleton } from './system-services.ts';
import { decoded, newUri } from './uri.ts';
import { viewOf } from './view-tree.ts';
import { maxPageLength, type PageForm, readPage } from './web-pages.ts';

const S = 'Ljava/lang/String;';
const requestType = 'Landroid/webkit/WebResourceRequestImpl;';
const responseType = 'Landroid/webkit/WebResourceResponse;';
const client = (view: HeapObject): Reference => viewOf(view).properties.get('webViewClient') ?? null;

const userAgent =
  'Mozilla/5.0 (Linux; Android 9; SM-G950F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0.3729.157 Mobile Safari/537.36';

function fetch(machine: Machine, url: string, method: string, body: Uint8Array, taint: number): void {
  if (!/^https?:/i.test(url)) return;
  virtualNetwork(machine).http(machine, {
    method,
    url,
    headers: [['User-Agent', userAgent]],
    body,
    taint,
    urlTaint: taint,
    bodyTaint: taint,
  });
}

const load: NativeMethod = (machine, me: HeapObject, url: Reference, second: Value = null) => {
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

/** Tells the view's client of a page, and uses its links and forms as the owner would. */
function showPage(machine: Machine, me: HeapObject, url: Reference, html: string): void {
  const { links, forms } = readPage(html);
  const base = plain(machine, url);
  const absolute = (link: string): string => (URL.canParse(link, base) ? new URL(link, base).href : link);
  const listener = client(me);
  post(machine, 200, listener?.cls.name ?? me.cls.name, () => {
    const view = `Landroid/webkit/WebView;${S}`;
    if (listener !== null) {
      callIfThere(machine, listener, `shouldInterceptRequest(${view})${responseType}`, me, url);
      callIfThere(machine, listener, `onPageStarted(${view}Landroid/graphics/Bitmap;)V`, me, url, null);
      callIfThere(machine, listener, `onPageFinished(${view})V`, me, url);
      for (const link of links) follow(machine, me, listener, absolute(link));
    }
    for (const form of forms) submit(machine, form, absolute(form.action));
  });
}

/** Asks a client whether it goes its own way with a link; older and newer clients are asked otherwise. */
function follow(machine: Machine, me: HeapObject, listener: HeapObject, link: string): void {
  const view = 'Landroid/webkit/WebView;';
  const request = machine.allocate(requestType);
  request.native = link;
  if (isAppMethod(machine, listener, `shouldOverrideUrlLoading(${view}Landroid/webkit/WebResourceRequest;)Z`)) {
    machine.call(listener, `shouldOverrideUrlLoading(${view}Landroid/webkit/WebResourceRequest;)Z`, me, request);
  } else machine.call(listener, `shouldOverrideUrlLoading(${view}${S})Z`, me, machine.string(link));
}

/** Fills a form of the app's own page in and sends it to its server, past the app's code. */
function submit(machine: Machine, { fields, isPost }: PageForm, url: string): void {
  const names = fields.map(({ name }) => name).join(', ');
  recorderOf(machine).event('web', `a form sends ${names === '' ? 'nothing' : names} to ${url}`);
  const query = new URLSearchParams(fields.map(({ name, isPassword }) => [name, typedInto(name, isPassword)]));
  const hasPassword = fields.some(({ isPassword }) => isPassword);
  const taint = hasPassword ? machine.source('TAINT_PASSWORD', 'WebView form') : 0;
  if (isPost) fetch(machine, url, 'POST', Buffer.from(query.toString()), taint);
  else fetch(machine, `${url.replace(/[?#].*/, '')}?${query}`, 'GET', new Uint8Array(0), taint);
}

function typedInto(name: string, isPassword: boolean): string {
  if (isPassword) return typedText.password;
  if (/card|karte|pan$/i.test(name)) return typedText.card;
  if (/mail/i.test(name)) return typedText.email;
  if (/phone|mobile|tel$/i.test(name)) return typedText.phone;
  if (/pin|cvv|cvc|otp|code|number|tan$/i.test(name)) return typedText.number;
  return /name|user|login/i.test(name) ? typedText.name : typedText.text;
}

/** A page that the app hands over itself. */
function showOwn(machine: Machine, me: HeapObject, base: Reference, html: Reference): undefined {
  recorderOf(machine).event('web', 'showed a page of its own');
  showPage(machine, me, base ?? machine.string('about:blank'), plain(machine, html));
}

const javascriptInterface = 'Landroid/webkit/JavascriptInterface;';
/** What scripts say in the place of texts, until the app compares it with something else. */
const scriptText = 'script';
/** Calls of one method with texts that the app turned out to wait for. */
const maxScriptTexts = 6;

/** Calls what the app lets pages call: the methods that it has marked so. */
function callFromPage(machine: Machine, object: HeapObject): void {
  const marker = machine.classObject(machine.classOf(javascriptInterface));
  const methods = machine.call(machine.classObject(object.cls), 'getMethods()[Ljava/lang/reflect/Method;') as JavaArray;
  const { prompts } = worldOf(machine);
  for (const method of methods.elements as HeapObject[]) {
    if (machine.call(method, 'isAnnotationPresent(Ljava/lang/Class;)Z', marker) === 0) continue;
    const types = machine.call(method, 'getParameterTypes()[Ljava/lang/Class;') as JavaArray;
    const kinds = (types.elements as HeapObject[]).map((type) => machine.classFrom(type).descriptor);
    const said = new Set<string>();
    const next = () => [prompts.tell(scriptText), ...prompts.answersTo(scriptText)].find((text) => !said.has(text));
    for (let text = next(); text !== undefined && said.size < maxScriptTexts; text = next()) {
      said.add(text);
      const args = machine.objectArray(
        'Ljava/lang/Object;',
        kinds.map((kind) => scriptValue(machine, kind, text!)),
      );
      machine.call(method, 'invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;', object, args);
      if (!kinds.includes(S)) break;
    }
  }
}

/** A value as the bridge between pages and apps makes it: texts, numbers and truths; objects are null. */
function scriptValue(machine: Machine, type: string, text: string): Reference {
  if (type === S) return machine.string(text);
  if (type.length > 1) return null;
  return machine.box(type, type === 'J' ? 1n : 1);
}

const webMethods: NativeMethods = {
  ...each(load, `loadUrl(${S})V`, `loadUrl(${S}Ljava/util/Map;)V`, `postUrl(${S}[B)V`),
  [`loadData(${S}${S}${S})V`]: (machine, me: HeapObject, html: Reference) => showOwn(machine, me, null, html),
  [`loadDataWithBaseURL(${S}${S}${S}${S}${S})V`]: showOwn,
  [`evaluateJavascript(${S}Landroid/webkit/ValueCallback;)V`]: (
    machine,
    _me: HeapObject,
    script: Reference,
    callback: Reference,
  ) => {
    recorderOf(machine).leak('network', 'WebView.evaluateJavascript', 'javascript:', sinkTaint(machine, script));
    if (callback !== null)
      post(machine, 50, callback.cls.name, () =>
        machine.call(callback, 'onReceiveValue(Ljava/lang/Object;)V', machine.string('null')),
      );
  },
  [`addJavascriptInterface(Ljava/lang/Object;${S})V`]: (
    machine,
    _me: HeapObject,
    object: Reference,
    name: Reference,
  ) => {
    if (object === null) return;
    recorderOf(machine).event('web', `let pages call ${object.cls.name} as ${plain(machine, name)}`);
    const app = appOf(machine);
    app.listen(`page#${app.numberOf(object)}`, { kind: 'page', fire: () => callFromPage(machine, object) });
  },
  [`getUrl()${S}`]: (_machine, me: HeapObject) => viewOf(me).properties.get('url') ?? null,
  'getSettings()Landroid/webkit/WebSettings;': (machine) => singleton(machine, 'Landroid/webkit/WebSettingsImpl;'),
  'setWebViewClient(Landroid/webkit/WebViewClient;)V': (_machine, me: HeapObject, listener: Reference) => {
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
      'getUrl()Landroid/net/Uri;': (machine, me: HeapObject) => newUri(machine, me.native as string),
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
};
