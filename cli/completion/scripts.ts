/**
 * Shell scripts that complete the words after `kw`. They run the `kw` on the command line with that line up to the
 * cursor. It prints one candidate per line, with a tab and a description if there is one, or `:files`.
 */
export const scripts = {
  bash: `# bash completion for kw. In ~/.bashrc: eval "$(kw completion bash)"
_kw() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" complete --bash "$COMP_WORDBREAKS" -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _kw kw
`,
  zsh: `#compdef kw
# zsh completion for kw. In ~/.zshrc, after compinit: eval "$(kw completion zsh)"
_kw() {
  local line value files=0
  local -a described
  for line in "\${(@f)$("\${words[1]}" complete -- "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      files=1
    elif [[ -n $line ]]; then
      value="\${\${line%%$'\\t'*}//:/\\\\:}"
      if [[ $line == *$'\\t'* ]]; then described+=("$value:\${line#*$'\\t'}"); else described+=("$value"); fi
    fi
  done
  (( $#described )) && _describe 'kw' described
  (( files )) && _files
}
if [[ $funcstack[1] == _kw ]]; then _kw "$@"; else compdef _kw kw; fi
`,
} as const;
