// The days from and to which a certificate is valid; the exact times as a tooltip. Knows one certificate.
import type { CertificateRecord } from '../../../server/contract/engine/reports.ts';
import { formatDay } from '../../components/text/format.ts';

export const Validity = ({ certificate: { not_before, not_after } }: { certificate: CertificateRecord }) => (
  <span title={`${not_before} – ${not_after}`}>
    {formatDay(not_before)} – {formatDay(not_after)}
  </span>
);
