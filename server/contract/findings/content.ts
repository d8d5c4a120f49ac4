// What an app's files hold, and products that pack apps. Knows nothing of how it is found.
import { critical, type FindingsOf, high, info, low, medium } from './row.ts';

export const contentFindings = {
  'content-disguised': high(
    'A program hides behind a harmless name',
    'Its name says picture, text or sound; its content is code or an archive.',
    'T1406',
  ),
  'content-embedded-dex': medium(
    "Dalvik code outside the app's DEX files",
    'It can be loaded at run time; packers, plug-ins and droppers do so.',
  ),
  'content-embedded-apk': medium(
    'An app inside the app',
    'It can be installed or loaded at run time; droppers and plug-in frameworks do so.',
  ),
  'content-embedded-elf': low('Native code outside lib/', 'It can be copied and run at run time.'),
  'content-high-entropy': info(
    'An asset looks encrypted',
    'Models and media look the same; payloads of packers do too.',
  ),
  'content-damaged-bundle': info(
    'Code of another runtime departs from its format',
    'It is of another version, was changed after it was compiled, or is made to mislead tools.',
  ),
  'packer-packer': medium(
    'The app is packed',
    'The real code is unpacked at run time; static results describe the packer.',
    'T1406.002',
  ),
  'packer-protector': low(
    'Protected or obfuscated by a product',
    'The app defends itself against analysis; banks and games do so too.',
    'T1406',
  ),
  'packer-tampering': medium('Repackaged with a known tool', 'Somebody other than its author changed the app.'),
  'packer-payload': critical('Carries a known attack tool', 'Code of a remote control framework.'),
} satisfies FindingsOf<'content' | 'packer'>;
