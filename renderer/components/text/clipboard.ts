// Puts text on the clipboard, also where the page is served over plain HTTP on the LAN. Knows nothing of the text.

/** @returns whether the text is on the clipboard */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      // Permission denied or the document lost its focus: the older way below needs neither.
      console.info('The clipboard interface refused, using a selection.', error);
    }
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
