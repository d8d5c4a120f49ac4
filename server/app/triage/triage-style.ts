// The style sheet of the page that `triage` writes: light, dark, and on paper. Knows no APK.
export const triageStyle = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { margin: 2rem; color: light-dark(#1a1c1e, #e6e7e9); background: light-dark(#fff, #16181b); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .6rem; border-bottom: 1px solid light-dark(#d5d8dc, #3a3f45); }
code, small { overflow-wrap: anywhere; }
code { font-size: 12px; }
small { color: light-dark(#54595f, #a8adb4); }
ul { margin: 0; padding-left: 1.1rem; }
.risk { white-space: nowrap; border-left: 6px solid light-dark(#6a7077, #9aa0a6); }
.critical .risk { border-left-color: light-dark(#a3123c, #ff6b8b); }
.high .risk { border-left-color: light-dark(#c2410c, #ff9d5c); }
.elevated .risk { border-left-color: light-dark(#8a6100, #e8c04a); }
@media print {
  :root { color-scheme: light; font-size: 10px; }
  body { margin: 0; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
`;
