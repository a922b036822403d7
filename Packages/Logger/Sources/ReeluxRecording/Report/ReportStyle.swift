/// The report's style: light and dark by the reader's system.
enum ReportStyle {
  static let css = """
    :root {
      color-scheme: light dark;
      --back: #ffffff; --text: #1d2430; --faint: #5d6878; --line: #dfe4ea; --panel: #f5f7f9; --chosen: #d9e8ff;
      --accent: #0b5cc4; --added: #146c2e; --removed: #a3221c; --changed: #7a4d00; --pending: #b77900; --settled: #1a7f37;
      --rolledBack: #c0332b;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #14181e; --text: #e4e8ee; --faint: #9aa5b4; --line: #2d343e; --panel: #1b2028; --chosen: #1f3a5f;
        --accent: #7db3ff; --added: #6fd08c; --removed: #ff8f87; --changed: #e9b65c; --pending: #d99b23;
        --settled: #4cb568; --rolledBack: #f0665d;
      }
    }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body {
      display: flex; flex-direction: column; background: var(--back); color: var(--text);
      font: 14px/1.45 system-ui, sans-serif;
    }
    header {
      display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; padding: 8px 16px;
      border-bottom: 1px solid var(--line);
    }
    h1 { font-size: 17px; margin: 0; }
    h2 { font: 600 15px/1.4 ui-monospace, monospace; margin: 0 0 8px; overflow-wrap: anywhere; }
    h3 { font-size: 12px; letter-spacing: .04em; text-transform: uppercase; color: var(--faint); margin: 16px 0 4px; }
    header p { margin: 0; color: var(--faint); }
    .keys { margin-left: auto; }
    kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font: 12px ui-monospace, monospace; }
    input {
      font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 4px;
      padding: 3px 8px; width: 22ch;
    }
    main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(280px, 2fr) 3fr minmax(220px, 1.4fr); }
    main > * { min-width: 0; min-height: 0; border-right: 1px solid var(--line); }
    #timeline { display: flex; }
    #list { flex: 1; overflow-y: auto; position: relative; outline-offset: -2px; }
    #list:focus-visible { outline: 2px solid var(--accent); }
    #rows { position: relative; overflow: hidden; }
    .row {
      position: absolute; left: 0; right: 0; height: 40px; padding: 2px 12px; border-bottom: 1px solid var(--line);
      cursor: pointer; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
    }
    .row[aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
    .row b { font: 600 13px ui-monospace, monospace; }
    .row small { display: block; color: var(--faint); overflow: hidden; text-overflow: ellipsis; }
    .row .number { color: var(--faint); font-variant-numeric: tabular-nums; margin-right: 8px; }
    .row.differs b::after { content: " ≠ recorded"; color: var(--removed); }
    #detail, #side { overflow: auto; padding: 12px 16px; }
    #problems { color: var(--removed); white-space: pre-wrap; font: 12px ui-monospace, monospace; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0; }
    dt { color: var(--faint); }
    dd { margin: 0; overflow-wrap: anywhere; }
    ul { list-style: none; margin: 0; padding: 0; font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
    .added { color: var(--added); } .removed { color: var(--removed); } .changed, .moved { color: var(--changed); }
    #state { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
    #state details > div, #state details > details { margin-left: 16px; }
    #state .touched { background: var(--chosen); border-radius: 3px; }
    #state .name { color: var(--accent); }
    summary { cursor: pointer; }
    svg { display: block; width: 100%; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; }
    svg text { fill: var(--text); font: 11px system-ui, sans-serif; }
    .track { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    .here { fill: var(--rolledBack); } .now { stroke: var(--text); stroke-dasharray: 2 2; }
    rect.pending, i.pending { fill: var(--pending); background: var(--pending); }
    rect.settled, i.settled { fill: var(--settled); background: var(--settled); }
    rect.rolledBack, i.rolledBack { fill: var(--rolledBack); background: var(--rolledBack); }
    rect { cursor: pointer; }
    .legend { color: var(--faint); font-size: 12px; }
    .legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-left: 8px; }
    @media (max-width: 900px) {
      main { grid-template-columns: 1fr; grid-template-rows: 40% auto auto; overflow: auto; }
    }
    """
}
