// Screens that ask for a password and take touches while another app draws over them. Knows no rule on calls.
//
// https://developer.android.com/privacy-and-security/risks/tapjacking
import { Findings } from '../../findings.ts';
import { isElement, parseBinaryXml, type XmlElement } from '../../formats/axml/document.ts';

/** Resource ids of `android.R.attr`. */
const passwordAttribute = 0x0101_015c;
const inputTypeAttribute = 0x0101_0220;
const filterTouchesAttribute = 0x0101_02c4;
/** Passwords of `android.text.InputType`: class and variation. */
const passwordTypes: ReadonlySet<number> = new Set([0x81, 0x91, 0xe1, 0x12]);
const typeMask = 0xff;
/** Larger ones are no layouts. */
const maxLayoutLength = 128 * 1024;
/** Names of the methods by which an app guards its screens in code. */
export const touchGuards = ['setFilterTouchesWhenObscured', 'onFilterTouchEventForSecurity', 'setHideOverlayWindows'];

const littleEndian = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
};
const marks = [passwordAttribute, inputTypeAttribute].map(littleEndian);

/** Whether a binary XML file is a layout with a password field that leaves touches unfiltered. */
export function isOpenPasswordScreen(name: string, bytes: Uint8Array): boolean {
  if (!name.startsWith('res/') || bytes.length > maxLayoutLength) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!marks.some((mark) => text.includes(mark))) return false;
  let asksPassword = false;
  const left: XmlElement[] = [];
  try {
    const { root } = parseBinaryXml(bytes, new Findings(), name);
    if (root !== null) left.push(root);
  } catch {
    // Android cannot show it either; the file is told of where it is opened.
    return false;
  }
  for (let element = left.pop(); element !== undefined; element = left.pop()) {
    for (const { resourceId, data } of element.attributes) {
      if (resourceId === filterTouchesAttribute && data !== 0) return false;
      if (resourceId === passwordAttribute && data !== 0) asksPassword = true;
      if (resourceId === inputTypeAttribute && passwordTypes.has(data & typeMask)) asksPassword = true;
    }
    for (const child of element.children) if (isElement(child)) left.push(child);
  }
  return asksPassword;
}

/**
 * @param screens names of the files that `isOpenPasswordScreen`
 * @param isGuarded whether code names one of `touchGuards`
 */
export function reportTapjacking(screens: readonly string[], isGuarded: boolean, findings: Findings): void {
  if (isGuarded) return;
  for (const name of screens)
    findings.add('weakness-tapjacking', name, 'a password is typed while another app may draw over it');
}
