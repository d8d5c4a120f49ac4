// What the user can do on a page of HTML: links to follow, forms to fill in. Knows no view.

export interface PageForm {
  /** As written. */
  readonly action: string;
  readonly isPost: boolean;
  readonly fields: { readonly name: string; readonly isPassword: boolean }[];
}

export interface Page {
  /** As written. */
  readonly links: string[];
  readonly forms: PageForm[];
}

/** Characters of a page that are read, and bytes that hold them. */
export const maxPageLength = 1 << 18;
/** Characters of a tag; pictures stand in some. */
const maxTag = 2_000;
const maxLinks = 8;
const maxForms = 4;
const maxFields = 20;

function attributesOf(tag: string): Map<string, string> {
  const found = tag.matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g);
  return new Map(
    Array.from(found, ([, name, double, single, plain]) => [name!.toLowerCase(), double ?? single ?? plain ?? '']),
  );
}

/** Reads the links and forms of a page in their order, the first of each; not what scripts add, nor tags without an end. */
export function readPage(html: string): Page {
  const page: Page = { links: [], forms: [] };
  for (const part of html.slice(0, maxPageLength).split('<')) {
    const tag = part.slice(0, Math.min(Math.max(0, part.indexOf('>')), maxTag));
    const kind = /^\w{1,10}/.exec(tag)?.[0].toLowerCase();
    if (kind === 'a' && page.links.length < maxLinks) {
      const link = attributesOf(tag).get('href');
      if (link !== undefined) page.links.push(link);
    } else if (kind === 'form' && page.forms.length < maxForms) {
      const attributes = attributesOf(tag);
      const isPost = attributes.get('method')?.toLowerCase() === 'post';
      page.forms.push({ action: attributes.get('action') ?? '', isPost, fields: [] });
    } else if (kind === 'input' || kind === 'textarea' || kind === 'select') {
      const fields = page.forms.at(-1)?.fields;
      const attributes = attributesOf(tag);
      const name = attributes.get('name');
      if (fields === undefined || name === undefined || fields.length >= maxFields) continue;
      fields.push({ name, isPassword: attributes.get('type')?.toLowerCase() === 'password' });
    }
  }
  return page;
}
