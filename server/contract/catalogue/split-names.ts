// Which APKs are parts of an app by how their files are called, so that its base is taken in first. Whether one is, its manifest says.

/** As phones (`split_config.en.apk`), shops (`config.en.apk`) and bundletool (`base-en.apk`) call them. */
const splitName = /^(?:split_.+|config\..+|base-(?!master\.).+)\.apk$/i;
/** Of what bundletool writes; only the base's own module is none. */
const splitFolder = /(?:^|\/)(?:splits\/(?!base-master\.apk$)|asset-slices\/)[^/]+$/i;

export const isSplitName = (path: string): boolean =>
  splitName.test(path.replace(/^.*[/\\]/, '')) || splitFolder.test(path);

/** Apps beside a split that it may be a part of; more are not tried. */
export const maxBeside = 20;

/** In their order, but parts after all others. */
export const basesFirst = <T>(files: readonly T[], nameOf: (file: T) => string): T[] => [
  ...files.filter((file) => !isSplitName(nameOf(file))),
  ...files.filter((file) => isSplitName(nameOf(file))),
];
