// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../../components/text/counted.ts';

export const codeTexts = {
  tree: 'Packages and classes',
  modes: { classes: 'Classes', search: 'Search' },
  modeChoice: 'What is listed',
  none: 'The app has no code',
  unreadable: 'Could not be read:',
  choose: 'Choose a class, or search all code',
  chooseText:
    'Its smali is shown here. Click a class, method or field in it to go there; press x on it to see who uses it.',
  searchLabel: 'Search all code',
  searchPlaceholder: 'Class, method, field, string or API',
  regex: 'Regular expression',
  matchCase: 'Match case',
  kinds: { class: 'Classes', method: 'Methods', field: 'Fields', string: 'Strings', api: 'APIs' } as Record<
    string,
    string
  >,
  kindChoice: 'What is searched',
  hits: (count: number, isCut: boolean) => `${isCut ? 'over ' : ''}${counted(count, 'hit', 'hits')}`,
  uses: (count: number) => counted(count, 'use', 'uses'),
  noHits: 'Nothing in the code matches',
  outline: 'Members',
  outlineFilter: 'Filter members',
  extends: 'extends',
  implements: 'implements',
  subclasses: 'Subclasses',
  callers: 'Used by',
  callees: 'Uses',
  referencesOf: 'References of',
  direction: 'Direction of references',
  closeReferences: 'Close the references',
  noReferences: 'Nothing refers to it.',
  noCallees: 'It refers to nothing.',
  showUses: (what: string) => `Who uses ${what}`,
  external: 'The app does not define this class; Android or a library on the device does.',
  definedTwice: 'Defined in several dex files, of which Android takes the first:',
  cut: 'The class is too long to be shown whole.',
  embedded: 'Beside the app’s own code:',
  embeddedClass: 'embedded',
  classes: (count: number) => counted(count, 'class', 'classes'),
};
