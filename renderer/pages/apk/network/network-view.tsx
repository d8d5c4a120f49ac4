// A network of APKs in the window: the picture, and beside it what is known of the node that is looked at. What is open stands
// in the address. Knows not where the ties come from.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Apk } from '../../../../server/contract/catalogue/apk.ts';
import { AppIcon } from '../../../components/picture/app-icon.tsx';
import { Icon } from '../../../components/picture/icon.tsx';
import { NetworkPicture } from '../../../components/picture/network/network-picture.tsx';
import { fieldSearch, searchAddress } from '../../../components/place/catalogue-address.ts';
import { apkName } from '../../../components/place/named-link.tsx';
import { compareAddress } from '../../../components/place/place-address.ts';
import { RiskChip } from '../../../components/status/risk-chip.tsx';
import { StatusChips } from '../../../components/status/status-chips.tsx';
import { formatFull, formatWhen } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import {
  type ApkThing,
  networkOf,
  type Opening,
  type TraitThing,
  traitIcons,
  traitName,
  verdictLooks,
} from './apk-network.ts';
import styles from './network.module.css';
import { networkTexts as words } from './texts.ts';

interface NetworkViewProps {
  middle: ApkThing;
  openings: readonly Opening[];
  label: string;
  /** Why an APK is tied to the one in the middle. */
  reasonOf?: (id: string) => string;
  /** What the button says that opens an APK, and the one that closes it. */
  apkWords: { open: string; close: string };
  /** What the squares mean, where there are any. */
  squares?: ReactNode;
}

/** The ids of the things that are open, in the address; the middle one is open always. */
function useOpened(middle: string) {
  const [parameters, setParameters] = useSearchParams();
  return (id: string) => {
    if (id === middle) return;
    const opened = parameters.getAll('open');
    const next = new URLSearchParams(parameters);
    next.delete('open');
    for (const one of opened.includes(id) ? opened.filter((other) => other !== id) : [...opened, id])
      next.append('open', one);
    setParameters(next);
  };
}

function ApkDetail({ apk, middle, reason }: { apk: Apk; middle: string; reason: string }) {
  const isMiddle = apk.sha256 === middle;
  return (
    <>
      <div className={styles.head}>
        <AppIcon image={apk.image} size={32} />
        <div className={styles.names}>
          <Link to={`/apks/${apk.sha256}`}>
            <HostileText value={apkName(apk)} max={80} isFixed />
          </Link>
          <HostileText value={apk.package_name} max={120} mono isFixed />
        </div>
      </div>
      <div className={styles.chips}>
        <RiskChip risk={apk.workstation.risk} label={words.risk} />
        <StatusChips apk={apk} />
      </div>
      {reason !== '' && <p className={styles.reason}>{reason}</p>}
      <dl className={styles.facts}>
        {apk.version !== '' && (
          <>
            <dt>{words.version}</dt>
            <dd>
              <HostileText value={apk.version} max={40} isFixed />
            </dd>
          </>
        )}
        {apk.company !== '' && (
          <>
            <dt>{words.signer}</dt>
            <dd>
              <HostileText value={apk.company} max={80} isFixed />
            </dd>
          </>
        )}
        <dt>{words.firstSeen}</dt>
        <dd title={formatFull(apk.created_at)}>{formatWhen(apk.created_at)}</dd>
      </dl>
      {!isMiddle && <Link to={compareAddress(middle, apk.sha256)}>{words.compare}</Link>}
    </>
  );
}

/** What APKs have in common, leading to all that have it. */
function TraitDetail({ trait }: { trait: TraitThing }) {
  const search = fieldSearch(trait.field, trait.value);
  return (
    <>
      <div className={styles.head}>
        <Icon name={traitIcons[trait.field]} size={22} />
        <div className={styles.names}>
          <b>{words.fields[trait.field]}</b>
          <HostileText value={traitName(trait)} max={120} isFixed />
        </div>
      </div>
      {traitName(trait) !== trait.value && <HostileText value={trait.value} max={120} mono isFixed />}
      {search !== null && <Link to={searchAddress(search)}>{words.having(trait.count)}</Link>}
    </>
  );
}

export function NetworkView({ middle, openings, label, reasonOf, apkWords, squares }: NetworkViewProps) {
  const navigate = useNavigate();
  const [selected, setSelected] = useState(middle.id);
  const toggle = useOpened(middle.id);
  const { network, things, leftOut } = networkOf(middle, openings);
  const shown = things.get(selected) ?? middle;
  const state = network.nodes.find(({ id }) => id === shown.id)?.state;
  const buttons = shown.kind === 'apk' ? apkWords : { open: words.openTrait, close: words.closeTrait };
  const onKey = (id: string, key: string) => {
    const thing = things.get(id);
    if (thing?.kind !== 'apk') return false;
    if (key === 'o') void navigate(`/apks/${thing.apk.sha256}`);
    else if (key === 'c' && id !== middle.id) void navigate(compareAddress(middle.apk.sha256, thing.apk.sha256));
    else return false;
    return true;
  };
  return (
    <NetworkPicture
      network={network}
      label={label}
      selected={selected}
      onSelect={setSelected}
      onToggle={toggle}
      onKey={onKey}
      legend={
        <>
          <span>{words.verdicts}</span>
          {verdictLooks.map(({ letter, tone, label: name }) => (
            <span key={name} className={styles.look}>
              <b aria-hidden="true" style={{ background: `var(--tone-${tone})` }}>
                {letter}
              </b>
              {name}
            </span>
          ))}
          {squares}
        </>
      }
    >
      {shown.kind === 'apk' ? (
        <ApkDetail apk={shown.apk} middle={middle.apk.sha256} reason={reasonOf?.(shown.id) ?? ''} />
      ) : (
        <TraitDetail trait={shown} />
      )}
      {shown.id !== middle.id && (
        <Button
          size="compact-sm"
          variant="default"
          loading={state === 'waiting'}
          onClick={() => toggle(shown.id)}
          aria-pressed={state === 'open'}
        >
          {state === 'open' ? buttons.close : buttons.open}
        </Button>
      )}
      <p className={styles.reason} role="status">
        {words.shown(network.nodes.length)}
        {leftOut > 0 && ` ${words.leftOut(leftOut)}`}
      </p>
    </NetworkPicture>
  );
}
