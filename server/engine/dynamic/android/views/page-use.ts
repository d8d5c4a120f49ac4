// What happens on a page that a WebView shows: links, forms, calls of JavaScript interfaces. Knows no model.
import { virtualNetwork } from '../../java/virtual-network.ts';
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { typedText } from '../../world/people.ts';
import { worldOf } from '../../world/world.ts';
import { post } from '../components/activity-life.ts';
import { callIfThere, isAppMethod, plain, type Reference } from '../model-parts.ts';
import { viewOf } from './view-tree.ts';
import { type PageForm, readPage } from './web-pages.ts';

const S = 'Ljava/lang/String;';
export const requestType = 'Landroid/webkit/WebResourceRequestImpl;';
export const responseType = 'Landroid/webkit/WebResourceResponse;';
export const userAgent =
  'Mozilla/5.0 (Linux; Android 9; SM-G950F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0.3729.157 Mobile Safari/537.36';

const client = (view: HeapObject): Reference => viewOf(view).properties.get('webViewClient') ?? null;

/** Requests a page from its server, with the WebView's user agent. */
export function fetch(machine: Machine, url: string, method: string, body: Uint8Array, taint: number): void {
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

/** Calls the WebViewClient for a page, then follows its links and fills in its forms as a user would. */
export function showPage(machine: Machine, me: HeapObject, url: Reference, html: string): void {
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

/** Calls `shouldOverrideUrlLoading`, in its older or newer form. */
function follow(machine: Machine, me: HeapObject, listener: HeapObject, link: string): void {
  const view = 'Landroid/webkit/WebView;';
  const request = machine.allocate(requestType);
  request.native = link;
  if (isAppMethod(machine, listener, `shouldOverrideUrlLoading(${view}Landroid/webkit/WebResourceRequest;)Z`)) {
    machine.call(listener, `shouldOverrideUrlLoading(${view}Landroid/webkit/WebResourceRequest;)Z`, me, request);
  } else machine.call(listener, `shouldOverrideUrlLoading(${view}${S})Z`, me, machine.string(link));
}

/** Fills in a form and sends it to the form's server, as the browser does, without the app's code. */
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

export const javascriptInterface = 'Landroid/webkit/JavascriptInterface;';
/** The string that scripts pass as an argument, until the app compares it with another. */
const scriptText = 'script';
/** Calls of one method with strings that the app compared its argument with. */
const maxScriptTexts = 6;

/** Calls the methods marked `@JavascriptInterface`. */
export function callFromPage(machine: Machine, object: HeapObject): void {
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

/** A value as the JavaScript bridge converts it: strings, numbers and booleans; objects become null. */
function scriptValue(machine: Machine, type: string, text: string): Reference {
  if (type === S) return machine.string(text);
  if (type.length > 1) return null;
  return machine.box(type, type === 'J' ? 1n : 1);
}
