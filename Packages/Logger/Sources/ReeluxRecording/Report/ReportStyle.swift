/// The style of a report, light or dark as the system is set. Only the list of actions scrolls separately.
enum ReportStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --back: #ffffff; --text: #1d2430; --faint: #57616f; --line: #d5dbe3; --panel: #f4f6f8; --chosen: #d9e8ff;
      --accent: #0b56b8; --added: #146c2e; --removed: #a3221c; --changed: #704600; --pending: #a86a00; --settled: #1a7f37;
      --rolledBack: #c0332b; --unknown: #6b5fb5;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #14181e; --text: #e4e8ee; --faint: #a3adbb; --line: #363e49; --panel: #1b2028; --chosen: #1f3a5f;
        --accent: #7db3ff; --added: #6fd08c; --removed: #ff8f87; --changed: #e9b65c; --pending: #d99b23;
        --settled: #4cb568; --rolledBack: #f0665d; --unknown: #a99cf5;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
    header { padding: 12px 20px; border-bottom: 1px solid var(--line); }
    h1 { font-size: 19px; margin: 0; overflow-wrap: anywhere; }
    h2 { font: 600 16px/1.4 ui-monospace, monospace; margin: 0 0 8px; overflow-wrap: anywhere; }
    h3 { font-size: 13px; letter-spacing: .03em; color: var(--faint); margin: 18px 0 6px; }
    header p { margin: 2px 0 8px; color: var(--faint); overflow-wrap: anywhere; }
    .bar { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; }
    #slider { flex: 1 1 160px; accent-color: var(--accent); min-width: 100px; }
    #filter { flex: 0 1 22ch; min-width: 12ch; }
    kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font: 12px ui-monospace, monospace; }
    input, select, button {
      font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 5px;
      padding: 4px 9px; min-height: 32px;
    }
    input[type="checkbox"] { min-height: 0; }
    input[type="number"] { width: 9ch; }
    button { cursor: pointer; }
    button[aria-pressed="true"] { background: var(--chosen); border-color: var(--accent); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    main { display: grid; grid-template-columns: minmax(300px, 380px) minmax(0, 1fr); align-items: start; }
    #timeline { position: sticky; top: 0; height: 100vh; grid-row: span 2; border-right: 1px solid var(--line); }
    #list { height: 100%; overflow-y: auto; position: relative; }
    #list:focus-visible { outline-offset: -2px; }
    #rows { position: relative; overflow: hidden; }
    .row {
      position: absolute; left: 0; right: 0; height: 44px; padding: 3px 12px; border-bottom: 1px solid var(--line);
      cursor: pointer; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
    }
    .row.inside { padding-left: 28px; }
    .row[aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
    .row b { font-weight: 600; }
    .row.left b { text-decoration: line-through; }
    .row small { display: block; color: var(--faint); overflow: hidden; text-overflow: ellipsis; font-size: 12.5px; }
    .row .number { color: var(--faint); font-variant-numeric: tabular-nums; margin-right: 8px; }
    .row.differs b::after { content: " ≠ recorded"; color: var(--removed); }
    #detail, #side { padding: 14px 20px; min-width: 0; }
    #side { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 0 24px; }
    #problems {
      color: var(--removed); white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--removed);
      border-radius: 5px; padding: 8px 10px; margin: 0 0 8px;
    }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; margin: 10px 0 0; }
    dt { color: var(--faint); }
    dd { margin: 0; overflow-wrap: anywhere; }
    ul { list-style: none; margin: 0; padding: 0; }
    ul, .tree, pre, code { font: 13.5px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
    pre { white-space: pre-wrap; margin: 0; }
    #skip { border: 1px solid var(--line); border-radius: 5px; padding: 8px 10px; margin: 10px 0; }
    #skip p { margin: 0 0 6px; }
    #test { background: var(--panel); border: 1px solid var(--line); border-radius: 5px; padding: 8px; margin-top: 8px; }
    #changes li { display: grid; grid-template-columns: 2ch 1fr; }
    .added { color: var(--added); } .removed { color: var(--removed); } .changed { color: var(--changed); }
    .tree details > div, .tree details > details { margin-left: 16px; }
    .tree .touched { background: var(--chosen); border-radius: 3px; }
    .tree .name { color: var(--accent); }
    .faint { color: var(--faint); }
    summary { cursor: pointer; }
    svg { display: block; width: 100%; max-width: 640px; background: var(--panel); border: 1px solid var(--line); border-radius: 5px; }
    svg text {
      fill: var(--text); font: 12px system-ui, sans-serif; paint-order: stroke; stroke: var(--panel); stroke-width: 3px;
    }
    svg text.tick { fill: var(--faint); font-size: 11px; }
    .track { fill: none; stroke: var(--accent); stroke-width: 2; }
    .here { fill: var(--rolledBack); stroke: var(--back); } .now { stroke: var(--text); stroke-dasharray: 2 2; }
    .begin { fill: var(--back); stroke: var(--settled); stroke-width: 2.5; } .end { fill: var(--settled); }
    .place { fill: var(--unknown); } .bar path, path.bar { fill: none; stroke: var(--text); }
    rect.pending, i.pending { fill: var(--pending); background: var(--pending); }
    rect.settled, i.settled { fill: var(--settled); background: var(--settled); }
    rect.rolledBack, i.rolledBack { fill: var(--rolledBack); background: var(--rolledBack); }
    rect.unknown, i.unknown { fill: var(--unknown); background: var(--unknown); }
    #spans rect { cursor: pointer; }
    .legend, .keys, #spans-note { color: var(--faint); font-size: 13px; }
    .legend i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-left: 8px; }
    @media (min-width: 1600px) {
      main { grid-template-columns: 420px minmax(0, 1fr) 520px; }
      #timeline { grid-row: auto; }
      #side { display: block; border-left: 1px solid var(--line); min-height: 100vh; }
    }
    @media (max-width: 760px) {
      main { display: block; }
      header, #detail, #side { padding-left: 14px; padding-right: 14px; }
      #timeline { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
      #list { height: 308px; }
    }
    """
}
