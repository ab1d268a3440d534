/**
 * Shell scripts that complete the words after `kw`. They run the `kw` on the command line with all words up
 * to the cursor. It prints one candidate per line, with a tab and a description if there is one, or `:files`.
 */
export const scripts = {
  bash: `# bash completion for kw. In ~/.bashrc: eval "$(kw completion bash)"
_kw() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  [[ $current == '=' ]] && current=''
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("$(printf '%q' "\${line%%$'\\t'*}")")
    fi
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _kw kw
`,
  zsh: `#compdef kw
# zsh completion for kw. In ~/.zshrc, after compinit: eval "$(kw completion zsh)"
_kw() {
  local line value files=0
  local -a described
  for line in "\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
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
