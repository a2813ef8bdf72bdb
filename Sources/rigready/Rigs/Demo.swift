let demoRecording = ""
