// Links to the page of an APK or an analyst, by its name. Knows names, not pages.
import { Link } from 'react-router';
import { HostileText } from '../text/hostile-text.tsx';

interface NamedApk {
  sha256: string;
  app: string;
  package_name: string;
}

/** The app's name; where it has none, its package or its hash. */
export const apkName = ({ app, package_name, sha256 }: NamedApk) => app || package_name || sha256;

/** @param part of the page; the first by default */
export const ApkLink = ({ apk, part = '', title }: { apk: NamedApk; part?: string; title?: string }) => (
  <Link to={`/apks/${apk.sha256}${part}`} title={title}>
    <HostileText value={apkName(apk)} max={100} isFixed />
  </Link>
);

export const AnalystLink = ({ username }: { username: string }) => (
  <Link to={`/analysts/${encodeURIComponent(username)}`}>
    <HostileText value={username} max={80} isFixed />
  </Link>
);
