// What the user or the system did when a listener is called, in words for the time line. Knows no view.
import type { Listener } from '../android/components/app.ts';
import type { Cause } from './app-process.ts';

/** By the kind of the listener, what a person did with the thing that it listens to. */
const userActions: Readonly<Record<string, string>> = {
  cancel: 'cancelled',
  card: 'held a card to the phone',
  checkedchange: 'switched',
  click: 'touched',
  contextclick: 'held',
  createcontextmenu: 'opened the context menu of',
  datechanged: 'chose a date in',
  editoraction: 'pressed Enter in',
  focuschange: 'went to',
  itemclick: 'touched a row of',
  itemlongclick: 'held a row of',
  itemselected: 'chose a row of',
  key: 'pressed a key at',
  longclick: 'held',
  notification: 'touched a notification',
  querytext: 'searched in',
  ratingbarchange: 'rated in',
  scroll: 'scrolled',
  seekbarchange: 'moved',
  tab: 'touched a tab',
  tabchange: 'touched a tab of',
  timechanged: 'chose a time in',
  touch: 'touched',
  valuechange: 'chose a number in',
  widget: 'touched a widget of the home screen',
};

const systemActions: Readonly<Record<string, string>> = {
  'audio-focus': 'let other apps sound',
  alarm: 'an alarm that the app had set was due',
  clipboard: 'the clipboard changed',
  job: 'ran a job that the app had scheduled',
  location: 'told the app where the phone is',
  network: 'told the app of the network',
  observer: 'told the app of changed content',
  page: 'a web page called the app',
  'phone-state': 'told the app of calls and the mobile network',
  span: 'drew a text',
  sensor: "told the app of a sensor's readings",
  'sms-sent': 'told the app that its SMS was sent',
};

/** Who causes what a listener waits for, and how that reads. */
export function listenerWords({ kind, about }: Listener): Cause {
  const system = systemActions[kind];
  if (system !== undefined) return { by: 'system', what: system };
  const action = userActions[kind] ?? `used (${kind})`;
  const thing = about?.() ?? '';
  return { by: 'user', what: thing === '' ? action : `${action} ${thing}` };
}
