@rem The shell of Windows has no exec, with which package.json begins a server. As npm's own shims do, this ends before what it starts.
@goto #_undefined_# 2>NUL || title %COMSPEC% & %*
