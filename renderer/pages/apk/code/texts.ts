// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../../components/text/counted.ts';

export const codeTexts = {
  tree: 'Packages and classes',
  modes: { classes: 'Classes', search: 'Search' },
  modeChoice: 'What to list',
  none: 'The app has no code',
  unreadable: 'Could not be read:',
  choose: 'Choose a class, or search all code',
  chooseText:
    'Its Java, its smali or both are shown here. Click a class, method or field to go to its definition; press x on it for its uses.',
  title: 'Code',
  views: { java: 'Java', smali: 'smali', both: 'Both' },
  viewChoice: 'What to show the class as',
  nextView: 'Java, smali, both',
  java: {
    loading: 'Decompiling the class…',
    failed: 'The class has no Java here. Its smali is what Android runs.',
    showSmali: 'Show smali',
    leftOut: 'This member has no source of its own: compilers make it, or it stands where it is used.',
    lost: (count: number) =>
      `${counted(count, 'method', 'methods')} could not be written as Java; the smali stands in comments, with the reason.`,
    dispatched: (count: number) =>
      `${counted(count, 'method', 'methods')} jump in ways that Java has no words for: a variable says what runs next.`,
    cut: 'The source is too long; only its beginning is shown.',
  },
  searchLabel: 'Search all code',
  searchPlaceholder: 'Class, method, field, string or API',
  regex: 'Regular expression',
  matchCase: 'Match case',
  kinds: { class: 'Classes', method: 'Methods', field: 'Fields', string: 'Strings', api: 'APIs' } as Record<
    string,
    string
  >,
  kindChoice: 'What to search',
  hits: (count: number, isCut: boolean) => `${isCut ? 'over ' : ''}${counted(count, 'hit', 'hits')}`,
  uses: (count: number) => counted(count, 'use', 'uses'),
  noHits: 'No matches in the code',
  outline: 'Members',
  outlineFilter: 'Filter members',
  extends: 'extends',
  implements: 'implements',
  subclasses: 'Subclasses',
  directions: { callers: 'Used by', callees: 'Uses' },
  referencesOf: 'References',
  direction: 'Direction of the references',
  closeReferences: 'Close references',
  noReferences: 'No references to it.',
  noCallees: 'It references nothing.',
  showUses: (what: string) => `Uses of ${what}`,
  external: 'The app does not define this class: it belongs to Android or a library on the device.',
  definedTwice: 'Defined in several dex files; Android uses the first:',
  cut: 'The class is too long; only its beginning is shown.',
  embedded: 'Embedded code, beside the app’s own:',
  embeddedClass: 'embedded',
  classes: (count: number) => counted(count, 'class', 'classes'),
};
