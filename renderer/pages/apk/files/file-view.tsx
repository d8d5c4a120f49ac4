// One file of an APK as text, XML, picture or bytes. Knows the bytes, not what they mean.
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { contentOf, type EntryPlace, useContentStart, useImage, useXml } from '../../../api/apk-queries.ts';
import { LazyCodeText } from '../../../components/code/lazy-code-text.tsx';
import { xmlReference, xmlReferenceAddress } from '../../../components/code/xml-references.ts';
import { HexView } from '../../../components/file/hex-view.tsx';
import { SaveButton } from '../../../components/file/save-button.tsx';
import { fileNameOf } from '../../../components/file/save-file.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { BlobImage } from '../../../components/picture/blob-image.tsx';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import styles from './files.module.css';
import { explorerTexts } from './texts.ts';

export type FileViewName = keyof typeof explorerTexts.views;
/** What a text view holds at once. */
const maxTextLength = 1024 * 1024;
const rasterTypes = new Set(['png', 'jpeg', 'gif', 'webp']);
const textTypes = new Set(['text', 'json', 'xml', 'html', 'script', 'pem', 'empty', 'svg', 'css']);

/** Which views a file of a sniffed type has, the best one first. */
function viewsOf(type: string, name: string): FileViewName[] {
  if (type === 'axml') return ['xml', 'hex'];
  if (rasterTypes.has(type)) return ['image', 'hex'];
  if (
    textTypes.has(type) ||
    /\.(?:txt|xml|json|js|css|html?|properties|MF|SF|md|csv|kt|java|pro|version)$/i.test(name)
  ) {
    return ['text', 'hex'];
  }
  return ['hex', 'text'];
}

function XmlView({ sha256, place, label }: { sha256: string; place: EntryPlace; label: string }) {
  const xml = useXml(sha256, place);
  const navigate = useNavigate();
  if (!xml.isSuccess) return <QueryState query={xml} />;
  return (
    <LazyCodeText
      text={xml.data.text}
      language="xml"
      label={label}
      references={xmlReference}
      onReference={(value) => {
        const address = xmlReferenceAddress(sha256, value, '');
        if (address !== null) void navigate(address);
      }}
    />
  );
}

function TextView({ sha256, place, label, name }: { sha256: string; place: EntryPlace; label: string; name: string }) {
  const content = useContentStart(sha256, place, maxTextLength);
  const text = useMemo(() => {
    if (content.data === undefined) return '';
    const { bytes } = content.data;
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
  }, [content.data]);
  if (!content.isSuccess) return <QueryState query={content} />;
  const language = /\.json$/i.test(name) ? 'json' : /\.(?:xml|html?|svg)$/i.test(name) ? 'xml' : 'plain';
  return (
    <>
      {content.data.size > maxTextLength && <p className={styles.notice}>{explorerTexts.cutText}</p>}
      <LazyCodeText text={text} language={language} label={label} />
    </>
  );
}

function ImageView({ sha256, place, name }: { sha256: string; place: EntryPlace; name: string }) {
  const image = useImage(sha256, place);
  const [size, setSize] = useState('');
  if (!image.isSuccess) return <QueryState query={image} />;
  return (
    <figure className={styles.picture}>
      <BlobImage
        blob={image.data}
        alt={explorerTexts.imageOf(name)}
        onSize={(width, height) => setSize(explorerTexts.pixels(width, height))}
      />
      <figcaption>{size}</figcaption>
    </figure>
  );
}

interface FileViewProps {
  sha256: string;
  place: EntryPlace;
  name: string;
  type: string;
  size: number;
  compressed: number | null;
  isDuplicate: boolean;
}

export function FileView({ sha256, place, name, type, size, compressed, isDuplicate }: FileViewProps) {
  const [parameters, setParameters] = useSearchParams();
  const views = viewsOf(type, name);
  const wanted = parameters.get('view');
  const view = views.find((one) => one === wanted) ?? views[0]!;
  const at = parameters.get('at');
  const label = name === '' ? explorerTexts.whole : name.slice(0, 200);
  const choose = (next: FileViewName) => {
    const changed = new URLSearchParams(parameters);
    changed.set('view', next);
    setParameters(changed, { replace: true });
  };
  const fileName = `${fileNameOf(sha256, name.slice(name.lastIndexOf('/') + 1))}.bin`;
  return (
    <div className={styles.view} data-testid="file-view">
      <div className={styles.viewHead}>
        <b>{name === '' ? explorerTexts.whole : <HostileText value={name} max={240} mono />}</b>
        <span className={styles.soft}>
          {compressed === null ? formatSize(size) : explorerTexts.facts(type, formatSize(size), formatSize(compressed))}
        </span>
        {isDuplicate && <span className={styles.warning}>{explorerTexts.duplicate}</span>}
        <span className={styles.push} />
        <Segments
          label={explorerTexts.viewChoice}
          value={view}
          onChange={choose}
          labels={explorerTexts.views}
          shown={views}
        />
        <SaveButton fileName={fileName} fetchParts={() => contentOf(sha256, place, size)} />
      </div>
      {view === 'xml' && <XmlView sha256={sha256} place={place} label={label} />}
      {view === 'text' && <TextView sha256={sha256} place={place} label={label} name={name} />}
      {view === 'image' && <ImageView sha256={sha256} place={place} name={name} />}
      {view === 'hex' &&
        (size === 0 && name !== '' ? (
          <StatePanel icon="file" title={formatSize(0)} />
        ) : (
          <HexView
            key={at}
            sha256={sha256}
            place={place}
            label={label}
            at={at === null ? undefined : Number(at)}
            length={Number(parameters.get('length') ?? 1)}
          />
        ))}
    </div>
  );
}
